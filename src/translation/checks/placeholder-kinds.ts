import { PRINTF_SIZE } from '../protection/printf-size.js';

/** Those of C, Go, Python and Java. Others are parts of dates, whose order belongs to the language. */
const CONVERSION = String.raw`${PRINTF_SIZE}(?:[sdiu@oxXeEfFgGaAcpnvqTrbhSCw]|[tT][a-zA-Z])`;

/** An argument of printf, or of braces, that has no number and no name: it is the next one. */
export const NEXT_ARGUMENT = new RegExp(String.raw`^\{(?::[^{}]*)?\}$|^%<?${CONVERSION}$`);

/** One with a number of Go: what has none takes the argument behind the last one that was named. */
export const INDEXED_ARGUMENT = new RegExp(String.raw`^%${PRINTF_SIZE}\[`);

/** A part of a template that something within it, or behind it, belongs to. */
export const SECTION =
  /^(?:\{{1,3}[-~]?\s*[#/^]|\{\{[-~]?\s*(?:else|end|if|range|with|block|define)\b|\{:(?:else|then|catch)\b|\{%[-+]?\s*(?:if|el|for|end|unless|case|when|block|with|macro|call|raw|trans|plural)|<\/?#)/;

/** A placeholder of printf; a bare percent sign beside it would be read as the beginning of another. */
export const PRINTF = new RegExp(String.raw`^%(?:\(|<|\d+\$|${PRINTF_SIZE}\[|${CONVERSION}$)`);
