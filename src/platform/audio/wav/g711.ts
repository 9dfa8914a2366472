/** The samples of the 256 codes of A-law and of mu-law (ITU-T G.711), from -1 to 1. */
export const G711: Readonly<Record<'alaw' | 'mulaw', Float32Array>> = {
  alaw: Float32Array.from({ length: 256 }, (_, code) => expandALaw(code)),
  mulaw: Float32Array.from({ length: 256 }, (_, code) => expandMuLaw(code)),
};

function expandALaw(code: number): number {
  const bits = code ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 15) << 4) + 8;
  const size = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return (bits & 0x80 ? size : -size) / 32_768;
}

function expandMuLaw(code: number): number {
  const bits = ~code;
  const size = ((((bits & 15) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84;
  return (bits & 0x80 ? -size : size) / 32_768;
}
