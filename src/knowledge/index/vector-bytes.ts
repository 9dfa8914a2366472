/**
 * A vector as pgvector receives it in binary (`vector_recv`): its length, two bytes that are 0, and its numbers as
 * big-endian 32-bit floats. Read as text, it takes longer than all else of a passage.
 */
export function toVectorBytes(vector: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * vector.length);
  bytes.writeUInt16BE(vector.length, 0);
  for (const [at, number] of vector.entries()) bytes.writeFloatBE(number, 4 + 4 * at);
  return bytes;
}
