import 'react';

// Custom properties in `style`: how a component hands a number to its own style sheet.
declare module 'react' {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
