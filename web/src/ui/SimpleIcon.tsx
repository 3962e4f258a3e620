interface SimpleIconProps {
  /** 24 × 24 path data, as in simple-icons. */
  path: string;
  size: number;
  /** Without it the icon is decorative, with adjacent text. */
  label?: string | undefined;
}

/** The icon of a brand in the text color. */
export const SimpleIcon = ({ path, size, label }: SimpleIconProps) => (
  // biome-ignore lint/a11y/noSvgWithoutTitle: the title is present if the icon has no adjacent text
  <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden={label === undefined}>
    {label !== undefined && <title>{label}</title>}
    <path d={path} />
  </svg>
);
