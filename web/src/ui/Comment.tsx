import { Textarea } from '@mantine/core';

interface CommentProps {
  label: string;
  description?: string;
  placeholder?: string;
  required?: boolean;
  value: string;
  onChange: (value: string) => void;
}

/** The reason for a decision; Ctrl or Cmd and Enter submits it. */
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
