import { PRINTF_SIZE } from '../protection/printf-size.js';

/** Those of C, Go, Python and Java. Others are parts of dates, whose order belongs to the language. */
const CONVERSION = String.raw`${PRINTF_SIZE}[sdiu@oxXeEfFgGaAcpnvqTrbhSCw]`;

/** An argument of printf, or of braces, that has no number and no name: it is the next one. */
export const NEXT_ARGUMENT = new RegExp(String.raw`^\{(?::[^{}]*)?\}$|^%${CONVERSION}$`);

/** A placeholder of printf; a bare percent sign beside it would be read as the beginning of another. */
export const PRINTF = new RegExp(String.raw`^%(?:\(|<|\d+\$|${PRINTF_SIZE}\[|${CONVERSION}$)`);
