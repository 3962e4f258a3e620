import { useEffect, useState } from 'react';
import { onAnnouncement } from './announce.ts';

/** The one polite live region: `announce()` writes into it. */
export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => onAnnouncement(setText), []);
  return (
    <p className="vh" role="status">
      {text}
    </p>
  );
}
