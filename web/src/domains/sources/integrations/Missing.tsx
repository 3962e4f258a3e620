import { IconPointFilled } from '@tabler/icons-react';
import s from './Missing.module.css';

/** What an integration still lacks, each as a sentence. */
export const Missing = ({ sentences }: { sentences: readonly string[] }) =>
  sentences.length === 0 ? null : (
    <ul className={s.missing} aria-label="Missing">
      {sentences.map((sentence) => (
        <li key={sentence}>
          <IconPointFilled size={10} aria-hidden />
          {sentence}
        </li>
      ))}
    </ul>
  );
