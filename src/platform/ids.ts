import { TypeID, typeidUnboxed } from 'typeid-js';

/** The kinds of things that have an id (CONTRACT, section 1); `ses` (a refresh family) is ours. */
export type IdPrefix =
  | 'usr'
  | 'ten'
  | 'tok'
  | 'kb'
  | 'file'
  | 'rec'
  | 'job'
  | 'rs'
  | 'cred'
  | 'das'
  | 'doc'
  | 'ri'
  | 'dir'
  | 'syn'
  | 'pol'
  | 'aud'
  | 'cs'
  | 'msg'
  | 'key'
  | 'ses'
  | 'call';

/** A new id: `<prefix>_<26 characters of a UUIDv7>`, so ids sort by age. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** Whether `text` has the form of an id of this kind; anything else cannot exist and is answered 404. */
export function isId(prefix: IdPrefix, text: string): boolean {
  try {
    TypeID.fromString(text, prefix);
    return true;
  } catch {
    return false;
  }
}
