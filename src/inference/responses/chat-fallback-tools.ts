import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { lostField } from './chat-fallback-loss.js';

/** How a responses request names a function: functions of a namespace may have the names of others. */
export interface FunctionName {
  readonly name: unknown;
  readonly namespace?: string;
}

/**
 * The tools of a responses request as a chat request has them. Chat has functions alone: those of a namespace get its
 * name in front of theirs, and every other tool is left out.
 */
export class FallbackTools {
  /** The functions, as chat has them. */
  readonly definitions: JsonObject[] = [];
  /** The paths of what is left out. */
  readonly omitted: string[] = [];
  /** The functions of namespaces by their names in chat. */
  private readonly spaced = new Map<unknown, FunctionName>();
  private readonly taken: Set<unknown>;

  /** Chat has tools for the whole request: those that the input adds on its way count from its beginning. */
  constructor({ tools, input }: JsonObject) {
    const lists = [{ tools, path: 'tools' }];
    for (const [index, item] of objectsOf(input).entries()) {
      if (item.type === 'additional_tools') lists.push({ tools: item.tools, path: `input[${index}].tools` });
    }
    const functions = lists.flatMap((list) => objectsOf(list.tools).filter(({ type }) => type === 'function'));
    this.taken = new Set(functions.map(({ name }) => name));
    for (const list of lists) {
      for (const [index, tool] of objectsOf(list.tools).entries()) this.add(tool, `${list.path}[${index}]`);
    }
  }

  /**
   * The fields of the chat request that are about tools.
   * @throws Conflict `capability_not_supported` where a tool must be called, and it or every tool is left out
   */
  fields({ tool_choice: choice, parallel_tool_calls: parallel }: JsonObject): JsonObject {
    const chosen = this.choiceOf(choice ?? undefined);
    if (this.definitions.length > 0) {
      return {
        tools: this.definitions,
        ...(chosen !== undefined && { tool_choice: chosen }),
        ...(typeof parallel === 'boolean' && { parallel_tool_calls: parallel }),
      };
    }
    // Servers refuse a choice where there is nothing to choose from.
    const isFree = chosen === undefined || chosen === 'auto' || chosen === 'none';
    if (!isFree && this.omitted.length > 0) throw lostField('tool_choice');
    return isFree ? {} : { tool_choice: chosen };
  }

  /** The name of a function in chat. */
  chatName({ name, namespace }: JsonObject): unknown {
    if (typeof name !== 'string' || typeof namespace !== 'string' || namespace === '') return name;
    return `${namespace}${namespace.endsWith('__') ? '' : '__'}${name}`;
  }

  /** The name under which the request knows a function that is called in chat. */
  givenName(chatName: unknown): FunctionName {
    return this.spaced.get(chatName) ?? { name: chatName };
  }

  private add(tool: JsonObject, path: string): void {
    if (tool.type === 'function') this.addFunction(tool);
    else if (tool.type === 'namespace' && typeof tool.name === 'string') this.addNamespace(tool.name, tool, path);
    else this.omitted.push(path);
  }

  private addFunction({ type, ...definition }: JsonObject): void {
    this.definitions.push({ type, function: definition });
  }

  private addNamespace(namespace: string, { description, tools }: JsonObject, path: string): void {
    if (typeof description === 'string' && description !== '') this.omitted.push(`${path}.description`);
    for (const [index, tool] of objectsOf(tools).entries()) {
      const name = this.chatName({ name: tool.name, namespace });
      if (tool.type === 'function' && !this.taken.has(name)) {
        this.taken.add(name);
        this.spaced.set(name, { name: tool.name, namespace });
        this.addFunction({ ...tool, name });
      } else this.omitted.push(`${path}.tools[${index}]`);
    }
  }

  private choiceOf(choice: unknown): unknown {
    if (choice === undefined || typeof choice === 'string') return choice;
    if (!isJsonObject(choice) || choice.type !== 'function') throw lostField('tool_choice');
    const name = this.chatName(choice);
    if (this.omitted.length > 0 && !this.taken.has(name)) throw lostField('tool_choice');
    return { type: 'function', function: { name } };
  }
}
