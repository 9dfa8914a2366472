const CONVERSION = String.raw`[#0+'-]{0,4}(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*))?(?:hh?|ll?|[Lqjzt])?[sdiu@oxXeEfFgGaAcpn]`;

/** An argument of printf, or of braces, that has no number and no name: it is the next one. */
export const NEXT_ARGUMENT = new RegExp(String.raw`^\{(?::[^{}]*)?\}$|^%${CONVERSION}$`);

/** A placeholder of printf; a bare percent sign beside it would be read as the beginning of another. */
export const PRINTF = new RegExp(String.raw`^%(?:\(|\d+\$|${CONVERSION}$)`);
