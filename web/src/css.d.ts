import 'react';

// Permits custom properties in `style`, with which components pass numbers to their style sheets.
declare module 'react' {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
