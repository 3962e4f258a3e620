import { cwesIn, cwesOfProperty, cwesOfReferences, owaspIn, referencesOf, taxonomyOf } from './cwe.ts';
import type { Component, RunHead } from './log.ts';
import { scoreOf } from './severity.ts';
import { at, type JsonRecord, linkOf, listOf, numberOf, objectOf, textOf } from './shapes.ts';

/** What a rule says about all of its results. */
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

/** Finds the rule of a result; one without a rule gets `nothing`. */
export type RuleBook = (result: JsonRecord) => RuleFacts;

/**
 * The rules of a run. A result points at its rule by the position in the driver or an extension, by guid, by id, or by an id
 * below that of the rule, `a/b` of `a`.
 */
export function ruleBookOf(head: RunHead): RuleBook {
  const facts = new Map<JsonRecord, RuleFacts>();
  const components = [head.driver, ...head.extensions];
  const ids = new Map<string, JsonRecord>();
  for (const rule of components.flatMap(({ rules }) => rules.filter(Boolean))) {
    for (const id of [rule.id, rule.guid]) if (typeof id === 'string' && !ids.has(id)) ids.set(id, rule);
  }
  const names = head.driver.rules.flatMap((rule) => [rule?.id, rule?.name]).filter((name) => typeof name === 'string');
  return (result) => {
    const there = atPosition(head, components, result);
    // A position that leads to another rule than the one that is named is a mistake of the scanner: the name counts, if
    // there is one of that name.
    const rule = (isNamed(there, result) ? there : byId(ids, result)) ?? there ?? byMessage(ids, names, result);
    if (!rule) return nothing;
    const known = facts.get(rule);
    if (known) return known;
    const made = factsOf(head, rule);
    facts.set(rule, made);
    return made;
  };
}

const nothing: RuleFacts = {
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

function atPosition(head: RunHead, components: Component[], result: JsonRecord): JsonRecord | undefined {
  const reference = objectOf(result.rule);
  const index = numberOf(reference.index, 0) ?? numberOf(result.ruleIndex, 0);
  return index === undefined ? undefined : componentOf(head, components, reference.toolComponent)?.rules[index];
}

/** Whether the rule that a result points at is the one that it names, if it names one. */
function isNamed(rule: JsonRecord | undefined, result: JsonRecord): boolean {
  const id = textOf(result.ruleId, 1000) ?? textOf(at(result, 'rule', 'id'), 1000);
  if (!rule || id === undefined || typeof rule.id !== 'string') return rule !== undefined;
  return id === rule.id || id.startsWith(`${rule.id}/`);
}

function componentOf(head: RunHead, components: Component[], reference: unknown): Component | undefined {
  const index = numberOf(at(reference, 'index'), 0);
  if (index !== undefined) return head.extensions[index];
  const guid = textOf(at(reference, 'guid'), 100)?.toLowerCase();
  if (guid !== undefined) return components.find((component) => component.guid === guid) ?? head.driver;
  const name = textOf(at(reference, 'name'), 100);
  return components.find((component) => component.name === name) ?? head.driver;
}

function byId(ids: Map<string, JsonRecord>, result: JsonRecord): JsonRecord | undefined {
  const named = [result.ruleId, at(result, 'rule', 'id'), at(result, 'rule', 'guid')];
  for (const id of named) {
    let rest = textOf(id, 1000);
    while (rest !== undefined && rest !== '') {
      const rule = ids.get(rest);
      if (rule) return rule;
      rest = rest.includes('/') ? rest.slice(0, rest.lastIndexOf('/')) : undefined;
    }
  }
  return undefined;
}

/** Old Gitleaks names no rule in its results, and begins their message with its id. */
function byMessage(ids: Map<string, JsonRecord>, names: string[], result: JsonRecord): JsonRecord | undefined {
  if (result.ruleId !== undefined || result.rule !== undefined || result.ruleIndex !== undefined) return undefined;
  const message = textOf(at(result, 'message', 'text'));
  const name = names
    .filter((one) => one !== '' && message?.startsWith(`${one} `))
    .toSorted((a, b) => b.length - a.length)[0];
  return name === undefined ? undefined : ids.get(name);
}

function factsOf(head: RunHead, rule: JsonRecord): RuleFacts {
  const properties = objectOf(rule.properties);
  const tags = listOf(properties.tags).flatMap((tag) => textOf(tag, 200) ?? []);
  const targets = referencesOf(rule);
  const short = textOf(at(rule, 'shortDescription', 'text'), 300);
  const full = textOf(at(rule, 'fullDescription', 'markdown')) ?? textOf(at(rule, 'fullDescription', 'text'));
  const help = textOf(at(rule, 'help', 'markdown'), 20_000) ?? textOf(at(rule, 'help', 'text'), 20_000);
  const id = textOf(rule.id, 300)?.trim();
  const name = textOf(rule.name, 300)?.trim();
  return {
    id,
    name: name === id ? undefined : name,
    title: firstLine(short ?? (full !== undefined && full.length <= 200 ? full : undefined)),
    description: descriptionOf(full ?? short, help),
    helpUri: linkOf(rule.helpUri),
    level: at(rule, 'defaultConfiguration', 'level') ?? at(rule, 'configuration', 'defaultLevel'),
    score: scoreOf(properties['security-severity']),
    cwes: [
      ...[...tags.flatMap(cwesIn), ...cwesOfProperty(properties.cwe)],
      ...cwesOfReferences(head, targets),
      ...cwesOfReferences(head, listOf(rule.taxa)),
    ],
    tags,
    compliances: [...tags.flatMap((tag) => owaspIn(tag) ?? []), ...controlsOf(head, targets)],
    help: textOf(at(rule, 'help', 'text'), 5000) ?? '',
    messages: objectOf(rule.messageStrings),
  };
}

/** Help often begins with the description; what only repeats it is left out. */
function descriptionOf(full: string | undefined, help: string | undefined): string {
  if (help === undefined || full === undefined) return help ?? full ?? '';
  return help.includes(full.trim()) ? help : `${full}\n\n${help}`;
}

const firstLine = (text: string | undefined) => text?.trim().split('\n')[0]?.trim();

/** Controls of other taxonomies than the CWE, under the taxonomy's own name. */
export function controlsOf(head: RunHead, references: readonly unknown[]): { framework: string; control: string }[] {
  return references.flatMap((reference) => {
    const framework = taxonomyOf(head, reference);
    const control = textOf(at(reference, 'id'), 100);
    if (framework === '' || control === undefined || cwesIn(`${framework}-${control}`).length > 0) return [];
    return [{ framework, control }];
  });
}
