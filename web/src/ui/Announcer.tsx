import { useEffect, useState } from 'react';
import { onAnnouncement } from './announce.ts';

/** The only polite live region, which `announce()` writes to. */
export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => onAnnouncement(setText), []);
  return (
    <p className="vh" role="status">
      {text}
    </p>
  );
}
