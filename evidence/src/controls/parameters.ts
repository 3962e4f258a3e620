/**
 * A parameter of a control with its default. `stricter` is the direction in which fewer rows pass. If several policies
 * apply to a repository, the strictest value of each parameter is in force.
 */
export type Parameter = { readonly title: string } & (
  | {
      readonly kind: 'number';
      readonly unit: string;
      readonly default: number;
      readonly min: number;
      readonly max: number;
      readonly stricter: 'higher' | 'lower';
      /** A time limit of 0 means no limit, so 0 is the least strict value. */
      readonly zeroMeansNoLimit?: true;
    }
  | { readonly kind: 'switch'; readonly default: boolean; readonly stricter: 'on' | 'off' }
  /**
   * Patterns with `*` and `**`, such as `release/*`. A scope is stricter with more patterns, an exemption with fewer.
   */
  | {
      readonly kind: 'patterns';
      readonly default: readonly string[];
      readonly stricter: 'more' | 'fewer';
      /** A list with the pattern `**` allows everything, so it is the least strict value. */
      readonly everythingIsLeastStrict?: true;
    }
  | {
      readonly kind: 'choices';
      readonly choices: readonly string[];
      readonly default: readonly string[];
      readonly stricter: 'more' | 'fewer';
    }
);
export type Parameters = Readonly<Record<string, Parameter>>;

type ValueOf<P extends Parameter> = P extends { kind: 'number' }
  ? number
  : P extends { kind: 'switch' }
    ? boolean
    : readonly string[];

/** A value for each parameter. */
export type SettingOf<P extends Parameters> = { readonly [Name in keyof P]: ValueOf<P[Name]> };

export interface ParameterProblem {
  readonly parameter: string;
  readonly message: string;
}

/** The pattern that matches every name. */
export const everything = '**';

export const MAX_PATTERNS = 50;
export const MAX_PATTERN_LENGTH = 200;

export const defaultsOf = <P extends Parameters>(parameters: P): SettingOf<P> =>
  Object.fromEntries(Object.entries(parameters).map(([name, { default: value }]) => [name, value])) as SettingOf<P>;

/**
 * Reads a setting from user input; omitted parameters have their default. Returns a problem for each value of the wrong
 * kind or out of bounds, and for each unknown parameter.
 */
export function readSetting<P extends Parameters>(
  parameters: P,
  values: Readonly<Record<string, unknown>>,
): { readonly setting: SettingOf<P> } | { readonly problems: readonly ParameterProblem[] } {
  const problems = Object.entries(values).flatMap(([parameter, value]) => {
    const known = Object.hasOwn(parameters, parameter) ? parameters[parameter] : undefined;
    const message = known ? problemOf(known, value) : 'is not a parameter of this control';
    return message === undefined ? [] : [{ parameter, message }];
  });
  return problems.length > 0 ? { problems } : { setting: { ...defaultsOf(parameters), ...(values as object) } };
}

/**
 * Reads a stored setting, possibly of another version. Missing and invalid values become defaults, and unknown
 * parameters are ignored.
 */
export function settingFrom<P extends Parameters>(
  parameters: P,
  stored: Readonly<Record<string, unknown>>,
): SettingOf<P> {
  const valid = Object.entries(stored).filter(
    ([name, value]) => 'setting' in readSetting(parameters, { [name]: value }),
  );
  return { ...defaultsOf(parameters), ...Object.fromEntries(valid) };
}

/** Returns the strictest value of each parameter. */
export const strictestOf = <P extends Parameters>(
  parameters: P,
  first: SettingOf<P>,
  others: readonly SettingOf<P>[],
): SettingOf<P> =>
  others.reduce(
    (one, other) =>
      Object.fromEntries(
        Object.entries(parameters).map(([name, parameter]) => [name, stricterOf(parameter, one[name], other[name])]),
      ) as SettingOf<P>,
    first,
  );

/** The parameters of which `after` is less strict than `before`. Patterns are compared as texts, not by what they match. */
export const weakenedParameters = <P extends Parameters>(
  parameters: P,
  before: SettingOf<P>,
  after: SettingOf<P>,
): readonly (keyof P & string)[] =>
  Object.entries(parameters).flatMap(([name, parameter]) => {
    const strictest = stricterOf(parameter, before[name], after[name]);
    return isSameValue(strictest, after[name]) ? [] : [name];
  });

const isSameValue = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((item) => other.includes(item))
    : one === other;

// Both are valid values, since settings are read before they are compared.
function stricterOf(parameter: Parameter, a: unknown, b: unknown): unknown {
  switch (parameter.kind) {
    case 'number': {
      const [one, other] = [a as number, b as number];
      const isUnlimited = parameter.zeroMeansNoLimit === true && (one === 0 || other === 0);
      return parameter.stricter === 'higher' || isUnlimited ? Math.max(one, other) : Math.min(one, other);
    }
    case 'switch':
      return parameter.stricter === 'on' ? a === true || b === true : a === true && b === true;
    case 'patterns':
    case 'choices':
      return stricterList(parameter, a as readonly string[], b as readonly string[]);
  }
}

function stricterList(
  parameter: Parameter & { readonly kind: 'patterns' | 'choices' },
  one: readonly string[],
  other: readonly string[],
): readonly string[] {
  if (parameter.kind === 'patterns' && parameter.everythingIsLeastStrict) {
    if (one.includes(everything)) return other;
    if (other.includes(everything)) return one;
  }
  if (parameter.stricter === 'fewer') return one.filter((item) => other.includes(item));
  return [...new Set([...one, ...other])].toSorted();
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
      return isTexts(value) && value.length <= MAX_PATTERNS && value.every(isPattern)
        ? undefined
        : `must be at most ${MAX_PATTERNS} patterns of 1 to ${MAX_PATTERN_LENGTH} characters`;
    case 'choices':
      return isTexts(value) && value.every((text) => parameter.choices.includes(text))
        ? undefined
        : `must be a selection of ${parameter.choices.join(', ')}`;
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') && new Set(value).size === value.length;

const isPattern = (text: string): boolean => text !== '' && text.length <= MAX_PATTERN_LENGTH && text.isWellFormed();
