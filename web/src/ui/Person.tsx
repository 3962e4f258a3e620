import { useState } from 'react';
import s from './Person.module.css';
import { personPicture, usePicture } from './pictures.ts';
import { RowName, RowTitle } from './RowTitle.tsx';

interface FaceProps {
  name: string;
  /** ID of the account or person, to find a picture that the list does not contain. */
  id?: string | undefined;
  /** URL of a picture; initials replace a missing picture. */
  picture?: string | null | undefined;
  /** Pixels. */
  size?: number;
  /** For organizations: a square with one letter. */
  square?: boolean;
}

/** Decorative: the name is beside it as text. */
export function Face({ name, id, picture, size = 24, square = false }: FaceProps) {
  const [broken, setBroken] = useState<string>();
  const src = usePicture(picture ?? personPicture(id));
  const shape = { width: size, height: size, borderRadius: square ? 6 : '50%' };
  if (src !== undefined && src !== broken) {
    return (
      <img
        className={s.picture}
        src={src}
        alt=""
        width={size}
        height={size}
        style={shape}
        onError={() => setBroken(src)}
      />
    );
  }
  const hue = hueOf(name);
  const ink = { background: `var(--ui-p${hue})`, color: `var(--ui-p${hue}-ink)` };
  return (
    <span className={s.face} style={{ ...shape, ...ink, fontSize: Math.max(9, size * 0.385) }} aria-hidden>
      {square ? initials(name).slice(0, 1) : initials(name)}
    </span>
  );
}

interface PersonProps extends FaceProps {
  /** Second line: an email address, a handle. */
  detail?: string | undefined;
  /** The signed-in user. */
  isYou?: boolean;
}

/** An avatar, the name, and one line below it. */
export const Person = ({ detail, isYou = false, size = detail === undefined ? 24 : 32, ...face }: PersonProps) => (
  <RowTitle
    glyph={<Face {...face} size={size} />}
    meta={detail === undefined ? undefined : <span className="truncate">{detail}</span>}
  >
    <RowName>{face.name}</RowName>
    {isYou && <span className={s.you}>You</span>}
  </RowTitle>
);

interface FacesProps {
  people: readonly { name: string; picture?: string | null | undefined }[];
  size?: number;
}

/** Overlapping avatars, with names for screen readers. */
export const Faces = ({ people, size = 24 }: FacesProps) => (
  <span className={s.stack}>
    {people.map(({ name, picture }) => (
      <Face key={name} name={name} picture={picture} size={size} />
    ))}
    <span className="vh">{people.map(({ name }) => name).join(', ')}</span>
  </span>
);

function initials(name: string): string {
  const words = name.split(/[\s@._-]+/u).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}

// The same person has the same tint everywhere.
const hueOf = (name: string) => ([...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 6) + 1;
