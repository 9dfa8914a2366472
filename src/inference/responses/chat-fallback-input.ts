import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { lostField } from './chat-fallback-loss.js';
import type { FallbackTools } from './chat-fallback-tools.js';

/** What a message is made of; it may also stand in the input by itself. */
const PART_TYPES = new Set<unknown>(['input_text', 'text', 'input_image', 'input_file', 'input_audio']);

/** The input of a responses request as the messages of a chat request. */
export class FallbackInput {
  readonly messages: JsonObject[] = [];
  private readonly items: readonly JsonObject[];

  /**
   * @param tools of the same request
   * @throws Conflict `capability_not_supported` that names what would be lost
   */
  constructor(
    { instructions, input }: JsonObject,
    private readonly tools: FallbackTools,
  ) {
    this.items = objectsOf(input);
    if (typeof instructions === 'string') this.messages.push({ role: 'system', content: instructions });
    if (typeof input === 'string') this.messages.push({ role: 'user', content: input });
    else this.addItems();
  }

  private addItems(): void {
    for (let index = 0; index < this.items.length; index += 1) {
      const parts = this.partsFrom(index);
      if (parts.length === 0) this.addItem(this.items[index] as JsonObject, `input[${index}]`);
      else this.messages.push({ role: 'user', content: contentOf(parts, 'input', index) });
      index += Math.max(0, parts.length - 1);
    }
  }

  /** The content parts that stand in an input from a place on, without a message around them: they are one of the user. */
  private partsFrom(start: number): JsonObject[] {
    const end = this.items.findIndex(({ type }, index) => index >= start && !PART_TYPES.has(type));
    return this.items.slice(start, end < 0 ? undefined : end);
  }

  private addItem(item: JsonObject, path: string): void {
    switch (item.type ?? 'message') {
      case 'message':
        this.messages.push(messageOf(item, path));
        return;
      case 'function_call':
        this.addToolCall(item.call_id, this.tools.chatName(item), item.arguments);
        return;
      case 'custom_tool_call':
        this.addToolCall(item.call_id, item.name, JSON.stringify({ input: item.input }));
        return;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.addToolOutput(item, path);
        return;
      case 'reasoning':
        // Chat servers want earlier turns without what the model thought.
        return;
      case 'additional_tools':
        // They stand beside the other tools.
        return;
      case 'item_reference':
        this.requireKnown(item.id, path);
        return;
      default:
        throw lostField(path);
    }
  }

  private addToolOutput({ call_id: id, output }: JsonObject, path: string): void {
    this.messages.push({ role: 'tool', tool_call_id: id, content: contentOf(output, `${path}.output`) });
  }

  /** Calls that follow each other, or a text, are one turn of the assistant. */
  private addToolCall(id: unknown, name: unknown, given: unknown): void {
    const call = { id, type: 'function', function: { name, arguments: given } };
    const last = this.messages.at(-1);
    if (last?.role !== 'assistant') this.messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    else last.tool_calls = [...objectsOf(last.tool_calls), call];
  }

  /** A reference to what the conversation has already adds nothing to it; one to anything else leads nowhere. */
  private requireKnown(id: unknown, path: string): void {
    const isKnown = this.items.some((item) => item.type !== 'item_reference' && item.id === id);
    if (id === undefined || !isKnown) throw lostField(path);
  }
}

function messageOf({ role, content }: JsonObject, path: string): JsonObject {
  return { role, content: contentOf(content, `${path}.content`) };
}

/**
 * One text stays a text: not every chat server reads parts.
 * @param first the place of the first part in the list that `path` names
 */
function contentOf(content: unknown, path: string, first = 0): unknown {
  if (!Array.isArray(content)) return content;
  const parts = objectsOf(content).map((part, index) => partOf(part, `${path}[${first + index}]`));
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? only.text : parts;
}

function partOf(part: JsonObject, path: string): JsonObject {
  const { type, text, refusal, image_url: url, detail, file_data: data, filename, input_audio: audio } = part;
  if (type === 'input_text' || type === 'output_text' || type === 'text') return { type: 'text', text };
  if (type === 'refusal') return { type: 'text', text: refusal };
  if (type === 'input_image' && typeof url === 'string') {
    return { type: 'image_url', image_url: { url, ...(typeof detail === 'string' && { detail }) } };
  }
  if (type === 'input_file' && typeof data === 'string') return { type: 'file', file: { file_data: data, filename } };
  if (type === 'input_audio' && isJsonObject(audio)) return { type, input_audio: audio };
  throw lostField(path);
}
