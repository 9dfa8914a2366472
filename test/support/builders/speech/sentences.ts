/** Everyday sentences of our own, for voices to say. */
export const SENTENCES: readonly string[] = [
  'The ferry leaves the northern pier at nine in the morning.',
  'We have moved the meeting to Thursday because the large room was taken.',
  'Please send me the numbers of the last quarter before lunch.',
  'I am not sure that we can finish the work by the end of the week.',
  'The new printer is next to the kitchen on the second floor.',
  'Somebody left a blue umbrella under the table yesterday.',
  'Could you tell the driver that the road to the harbour is closed?',
  'My brother has opened a small shop for bicycles near the station.',
  'The weather will be warm and dry until Saturday evening.',
  'They asked for a second copy of the contract and a list of all parts.',
  'After the rain the garden smelled of wet leaves and warm stone.',
  'Nobody expected the train to be on time, but it was early.',
  'She has written three letters to the council about the old bridge.',
  'The children were playing in the yard when the lights went out.',
  'We should order more paper and a box of black pens.',
  'It takes about twenty minutes to walk from here to the museum.',
  'The doctor said that the patient may go home tomorrow.',
  'I would like to know how many people have signed the letter.',
  'He bought a loaf of bread, some cheese and a bottle of milk.',
  'The first part of the report is ready, the second one is not.',
  'There is a good view of the valley from the top of the tower.',
  'Your appointment with the dentist is on the fourth of March.',
  'All windows must be closed before you leave the building.',
  'The company has sold more machines this year than ever before.',
];

/** Short answers, most of them under a second and a half. */
export const REPLIES: readonly string[] = [
  'Yes.',
  'No, thank you.',
  'Of course.',
  'I do not think so.',
  'Very well.',
  'Why?',
];
