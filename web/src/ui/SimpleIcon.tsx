interface SimpleIconProps {
  /** 24 × 24 path data, as simple-icons has it. */
  path: string;
  size: number;
  /** Without it the mark is decoration: words stand beside it. */
  label?: string | undefined;
}

/** A brand's mark in the text's own ink. */
export const SimpleIcon = ({ path, size, label }: SimpleIconProps) => (
  // biome-ignore lint/a11y/noSvgWithoutTitle: the title is there whenever the mark stands alone
  <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden={label === undefined}>
    {label !== undefined && <title>{label}</title>}
    <path d={path} />
  </svg>
);
