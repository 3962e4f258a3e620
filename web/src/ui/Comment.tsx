import { Textarea } from '@mantine/core';

interface CommentProps {
  label: string;
  description?: string;
  placeholder?: string;
  required?: boolean;
  value: string;
  onChange: (value: string) => void;
}

/** Why somebody decided so; with Ctrl or Cmd and Enter it is sent. */
export const Comment = ({ label, description, placeholder, required = false, value, onChange }: CommentProps) => (
  <Textarea
    label={label}
    description={description}
    placeholder={placeholder}
    required={required}
    withAsterisk={false}
    value={value}
    maxLength={2000}
    autosize
    minRows={2}
    maxRows={8}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    onKeyDown={(event) => {
      if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.form?.requestSubmit();
    }}
  />
);
