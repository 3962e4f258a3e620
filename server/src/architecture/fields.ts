import { z } from 'zod';

export type JsonPath = (string | number)[];

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: { enum?: string[] };
  anyOf?: JsonSchema[];
}

/** Returns the paths of every value that a schema accepts, including the root. */
export function jsonPathsOf(schema: z.ZodType): JsonPath[] {
  const found = new Map<string, JsonPath>();
  walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, [], found);
  return [...found.values()];
}

/** Returns the property names of an object schema. */
export const propertyNamesOf = (schema: z.ZodType | undefined): string[] =>
  schema === undefined
    ? []
    : Object.keys((z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema).properties ?? {});

function walk(schema: JsonSchema, path: JsonPath, found: Map<string, JsonPath>): void {
  found.set(JSON.stringify(path), path);
  for (const choice of schema.anyOf ?? []) walk(choice, path, found);
  for (const [name, property] of Object.entries(schema.properties ?? {})) walk(property, [...path, name], found);
  if (schema.items) walk(schema.items, [...path, 0], found);
  const { additionalProperties: more } = schema;
  if (typeof more === 'object') walk(more, [...path, schema.propertyNames?.enum?.[0] ?? 'key'], found);
}

const marker = '@@here@@';

/** Returns the JSON text of `sample` with `json` at a path. Adds missing parents. */
export function withJsonAt(sample: unknown, path: JsonPath, json: string): string {
  const root = { at: structuredClone(sample) } as Record<string | number, unknown>;
  let holder = root;
  let key: string | number = 'at';
  for (const step of path) {
    const next = holder[key];
    const child = typeof next === 'object' && next !== null ? next : typeof step === 'number' ? [] : {};
    holder[key] = child;
    holder = child as Record<string | number, unknown>;
    key = step;
  }
  holder[key] = marker;
  return JSON.stringify(root.at).replace(`"${marker}"`, () => json);
}
