import { cwesIn, cwesOfProperty, cwesOfReferences, owaspControlOfTag, taxonomyOf, taxonReferencesOf } from './cwe.ts';
import type { RunHead, SarifComponent } from './log.ts';
import { parseSecuritySeverity } from './severity.ts';
import {
  columnInteger,
  httpUrl,
  type JsonRecord,
  listOrEmpty,
  objectOrEmpty,
  storableText,
  valueAt,
} from './shapes.ts';

/** The properties of a rule that apply to all of its results. */
export interface RuleFacts {
  id: string | undefined;
  name: string | undefined;
  title: string | undefined;
  description: string;
  helpUri: string | undefined;
  level: unknown;
  score: number | undefined;
  cwes: number[];
  tags: string[];
  compliances: { framework: string; control: string }[];
  help: string;
  messages: JsonRecord;
}

/** Finds the rule of a result; returns empty facts for a result without a rule. */
export type RuleBook = (result: JsonRecord) => RuleFacts;

/**
 * Creates the rule book of a run. A result references its rule by index in the driver or an extension, by GUID, by ID,
 * or by a hierarchical ID such as `a/b` of `a`.
 */
export function createRuleBook(head: RunHead): RuleBook {
  const facts = new Map<JsonRecord, RuleFacts>();
  const components = [head.driver, ...head.extensions];
  const ids = new Map<string, JsonRecord>();
  for (const rule of components.flatMap(({ rules }) => rules.filter(Boolean))) {
    for (const id of [rule.id, rule.guid]) if (typeof id === 'string' && !ids.has(id)) ids.set(id, rule);
  }
  const names = head.driver.rules.flatMap((rule) => [rule?.id, rule?.name]).filter((name) => typeof name === 'string');
  return (result) => {
    const indexed = atPosition(head, components, result);
    // An index of another rule than the named one is an error of the scanner: the name takes precedence if such a rule
    // exists.
    const rule = (isNamed(indexed, result) ? indexed : byId(ids, result)) ?? indexed ?? byMessage(ids, names, result);
    if (!rule) return noFacts;
    const known = facts.get(rule);
    if (known) return known;
    const created = factsOf(head, rule);
    facts.set(rule, created);
    return created;
  };
}

const noFacts: RuleFacts = {
  id: undefined,
  name: undefined,
  title: undefined,
  description: '',
  helpUri: undefined,
  level: undefined,
  score: undefined,
  cwes: [],
  tags: [],
  compliances: [],
  help: '',
  messages: {},
};

function atPosition(head: RunHead, components: SarifComponent[], result: JsonRecord): JsonRecord | undefined {
  const reference = objectOrEmpty(result.rule);
  const index = columnInteger(reference.index, 0) ?? columnInteger(result.ruleIndex, 0);
  return index === undefined ? undefined : componentOf(head, components, reference.toolComponent)?.rules[index];
}

/** Whether the rule at the index of a result is the one that it names, if it names one. */
function isNamed(rule: JsonRecord | undefined, result: JsonRecord): boolean {
  const id = storableText(result.ruleId, 1000) ?? storableText(valueAt(result, 'rule', 'id'), 1000);
  if (!rule || id === undefined || typeof rule.id !== 'string') return rule !== undefined;
  return id === rule.id || id.startsWith(`${rule.id}/`);
}

function componentOf(head: RunHead, components: SarifComponent[], reference: unknown): SarifComponent | undefined {
  const index = columnInteger(valueAt(reference, 'index'), 0);
  if (index !== undefined) return head.extensions[index];
  const guid = storableText(valueAt(reference, 'guid'), 100)?.toLowerCase();
  if (guid !== undefined) return components.find((component) => component.guid === guid) ?? head.driver;
  const name = storableText(valueAt(reference, 'name'), 100);
  return components.find((component) => component.name === name) ?? head.driver;
}

function byId(ids: Map<string, JsonRecord>, result: JsonRecord): JsonRecord | undefined {
  const named = [result.ruleId, valueAt(result, 'rule', 'id'), valueAt(result, 'rule', 'guid')];
  for (const id of named) {
    let prefix = storableText(id, 1000);
    while (prefix !== undefined && prefix !== '') {
      const rule = ids.get(prefix);
      if (rule) return rule;
      prefix = prefix.includes('/') ? prefix.slice(0, prefix.lastIndexOf('/')) : undefined;
    }
  }
  return undefined;
}

/** Old versions of Gitleaks name no rule in their results; the message begins with the rule ID. */
function byMessage(ids: Map<string, JsonRecord>, names: string[], result: JsonRecord): JsonRecord | undefined {
  if (result.ruleId !== undefined || result.rule !== undefined || result.ruleIndex !== undefined) return undefined;
  const message = storableText(valueAt(result, 'message', 'text'));
  const name = names
    .filter((one) => one !== '' && message?.startsWith(`${one} `))
    .toSorted((a, b) => b.length - a.length)[0];
  return name === undefined ? undefined : ids.get(name);
}

function factsOf(head: RunHead, rule: JsonRecord): RuleFacts {
  const properties = objectOrEmpty(rule.properties);
  const tags = listOrEmpty(properties.tags).flatMap((tag) => storableText(tag, 200) ?? []);
  const targets = taxonReferencesOf(rule);
  const short = storableText(valueAt(rule, 'shortDescription', 'text'), 300);
  const full =
    storableText(valueAt(rule, 'fullDescription', 'markdown')) ??
    storableText(valueAt(rule, 'fullDescription', 'text'));
  const help =
    storableText(valueAt(rule, 'help', 'markdown'), 20_000) ?? storableText(valueAt(rule, 'help', 'text'), 20_000);
  const id = storableText(rule.id, 300)?.trim();
  const name = storableText(rule.name, 300)?.trim();
  return {
    id,
    name: name === id ? undefined : name,
    title: firstLine(short ?? (full !== undefined && full.length <= 200 ? full : undefined)),
    description: descriptionOf(full ?? short, help),
    helpUri: httpUrl(rule.helpUri),
    level: valueAt(rule, 'defaultConfiguration', 'level') ?? valueAt(rule, 'configuration', 'defaultLevel'),
    score: parseSecuritySeverity(properties['security-severity']),
    cwes: [
      ...[...tags.flatMap(cwesIn), ...cwesOfProperty(properties.cwe)],
      ...cwesOfReferences(head, targets),
      ...cwesOfReferences(head, listOrEmpty(rule.taxa)),
    ],
    tags,
    compliances: [...tags.flatMap((tag) => owaspControlOfTag(tag) ?? []), ...taxonomyControlsOf(head, targets)],
    help: storableText(valueAt(rule, 'help', 'text'), 5000) ?? '',
    messages: objectOrEmpty(rule.messageStrings),
  };
}

/** Help often contains the description; the description is then omitted. */
function descriptionOf(full: string | undefined, help: string | undefined): string {
  if (help === undefined || full === undefined) return help ?? full ?? '';
  return help.includes(full.trim()) ? help : `${full}\n\n${help}`;
}

const firstLine = (text: string | undefined) => text?.trim().split('\n')[0]?.trim();

/** Returns controls of taxonomies other than CWE, under the name of the taxonomy. */
export function taxonomyControlsOf(
  head: RunHead,
  references: readonly unknown[],
): { framework: string; control: string }[] {
  return references.flatMap((reference) => {
    const framework = taxonomyOf(head, reference);
    const control = storableText(valueAt(reference, 'id'), 100);
    if (framework === '' || control === undefined || cwesIn(`${framework}-${control}`).length > 0) return [];
    return [{ framework, control }];
  });
}
