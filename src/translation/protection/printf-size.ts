/** What stands between the percent sign, or the number behind it, and the letter of a placeholder of printf. */
export const PRINTF_SIZE = String.raw`[#0+'(,-]{0,5}(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*))?(?:hh?|ll?|I(?:32|64)|[Lqjzt])?`;

/** The number of the argument, which Go has right before the letter. */
export const PRINTF_INDEX = String.raw`(?:\[\d{1,2}\])?`;
