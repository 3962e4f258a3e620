/** What can be set about a control, with what holds until somebody does. */
export type Parameter = { readonly title: string } & (
  | {
      readonly kind: 'number';
      readonly unit: string;
      readonly default: number;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: 'switch'; readonly default: boolean }
  /** Names with `*` and `**`, such as `release/*`. */
  | { readonly kind: 'patterns'; readonly default: readonly string[] }
  | { readonly kind: 'choices'; readonly choices: readonly string[]; readonly default: readonly string[] }
);
export type Parameters = Readonly<Record<string, Parameter>>;

type ValueOf<P extends Parameter> = P extends { kind: 'number' }
  ? number
  : P extends { kind: 'switch' }
    ? boolean
    : readonly string[];

/** A value for each parameter. */
export type SettingOf<P extends Parameters> = { readonly [Name in keyof P]: ValueOf<P[Name]> };

export interface Problem {
  readonly parameter: string;
  readonly says: string;
}

export const mostPatterns = 50;
export const longestPattern = 200;

export const defaultsOf = <P extends Parameters>(parameters: P): SettingOf<P> =>
  Object.fromEntries(Object.entries(parameters).map(([name, { default: value }]) => [name, value])) as SettingOf<P>;

/**
 * A setting from values that somebody sent: what is not named keeps its default. With problems, each with the parameter it
 * concerns, where a value is not one of its kind or out of bounds, or the parameter is unknown.
 */
export function readSetting<P extends Parameters>(
  parameters: P,
  values: Readonly<Record<string, unknown>>,
): { readonly setting: SettingOf<P> } | { readonly problems: readonly Problem[] } {
  const problems = Object.entries(values).flatMap(([parameter, value]) => {
    const known = Object.hasOwn(parameters, parameter) ? parameters[parameter] : undefined;
    const says = known ? problemOf(known, value) : 'is not a parameter of this control';
    return says === undefined ? [] : [{ parameter, says }];
  });
  return problems.length > 0 ? { problems } : { setting: { ...defaultsOf(parameters), ...(values as object) } };
}

function problemOf(parameter: Parameter, value: unknown): string | undefined {
  switch (parameter.kind) {
    case 'number': {
      const { min, max, unit } = parameter;
      const isWithin = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
      return isWithin ? undefined : `must be a whole number of ${unit} from ${min} to ${max}`;
    }
    case 'switch':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'patterns':
      return isTexts(value) && value.length <= mostPatterns && value.every(isPattern)
        ? undefined
        : `must be at most ${mostPatterns} patterns of 1 to ${longestPattern} characters`;
    case 'choices':
      return isTexts(value) && value.every((text) => parameter.choices.includes(text))
        ? undefined
        : `must be some of ${parameter.choices.join(', ')}`;
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') && new Set(value).size === value.length;

const isPattern = (text: string): boolean => text !== '' && text.length <= longestPattern && text.isWellFormed();
