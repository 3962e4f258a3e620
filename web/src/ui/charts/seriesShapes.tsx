interface SeriesPatternProps {
  id: string;
  /** The position of the series. */
  index: number;
  color: string;
}

/** The fill of a series in bar charts and legends: solid, then hatched, then dotted. */
export const SeriesPattern = ({ id, index, color }: SeriesPatternProps) => (
  <defs>
    <pattern id={id} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      {index % 3 === 0 && <rect width={5} height={5} fill={color} />}
      {index % 3 === 1 && <rect width={2} height={5} fill={color} />}
      {index % 3 === 2 && <circle cx={2} cy={2} r={1.2} fill={color} />}
    </pattern>
  </defs>
);

interface MarkerProps {
  index: number;
  color: string;
  x: number;
  y: number;
}

/** A value of a series in line charts and legends: a disc, then a square, then a triangle. */
export function Marker({ index, color, x, y }: MarkerProps) {
  if (index % 3 === 1) return <rect x={x - 3} y={y - 3} width={6} height={6} fill={color} />;
  if (index % 3 === 2) return <path d={`M${x} ${y - 4}L${x + 4} ${y + 3}H${x - 4}Z`} fill={color} />;
  return <circle cx={x} cy={y} r={3} fill={color} />;
}
