import { Face } from './Person.tsx';
import s from './PersonName.module.css';

interface PersonNameProps {
  /** `id` is the ID of the account or person. */
  person: { id?: string | null | undefined; name: string; picture?: string | null | undefined };
  /** Pixels. */
  size?: number;
}

/** A small avatar and the name, within a line of text or a cell. */
export const PersonName = ({ person: { id, name, picture }, size = 16 }: PersonNameProps) => (
  <span className={s.inline}>
    <Face name={name} id={id ?? undefined} picture={picture ?? undefined} size={size} />
    <span className="truncate">{name}</span>
  </span>
);
