/**
 * What people build guessable passwords on: the words that lead every published list of leaked passwords, and names
 * that are at hand. Common passwords of 12 characters and more are these with digits, signs or repetition around them.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
  aaron abcdef access administrator admin alexander amanda america andrea andrew angel angela anthony apple april
  ashley asshole august austin babygirl bailey baseball basketball batman beautiful benjamin bigdaddy biteme blahblah
  blink brandon brittany brandy butterfly buster california cameron carolina changeme charlie cheese chelsea chicken
  chocolate christian christopher cocacola compaq computer cookie corvette cowboy cowboys crystal daniel danielle
  december default demo diamond dolphin dolphins donald dragon eagles elephant elizabeth enter eminem everton falcon
  family february ferrari fireball flower flowers football forever freedom friday friend friends fuckyou gateway george
  giants ginger godzilla golden golfer google guest guitar hammer hannah harley heather hello helloworld hockey hunter
  iceman iloveyou iloveu internet jackson january jasmine jasper jennifer jessica jesus jesuschrist jonathan jordan
  joseph joshua july junior justin killer knight ladybug lakers letmein letmeinnow letmeinplease liverpool login london
  lovely loveme lovers loveyou maggie manager manchester manchesterunited marina marine marlboro martin master masterkey
  matrix matthew maverick mercedes merlin metallica michael michelle mickey midnight minecraft monday monkey monster
  morgan motorola mountain mustang nascar natasha nathan naruto nicholas nicole ninja nirvana november october oliver
  orange p@ssword parola passion passport passw0rd password passwort patrick peanut pepper phoenix player please pokemon
  police porsche porter prince princess private purple pussy rabbit rachel raiders rainbow ranger rangers rebecca
  redsox richard robert root rosebud samantha samsung sandra saturday scooter scorpio secret september service shadow
  shannon silver simple slayer slipknot snoopy soccer software sophie spiderman spring startrek starwars steelers steven
  strongpassword summer sunday sunflower sunshine superman superstar supervisor support swordfish sydney system
  taylor tennis temp temporary test tester testing testpassword theman thomas thunder thursday tiger tigger toor toyota
  trouble trustno tuesday turtle unbelievable unknown user username vampire victor victoria viking virginia voyager
  wednesday welcome welcomehome whatever william wilson winner winter wizard yamaha yankees yellow youtube zaq xsw
  zxcvbn zxcvbnm
  abc qwe qwer qwert qwerty qwertyuiop qwertz qazwsx azerty asd asdf asdfgh asdfghjkl
  `
    .trim()
    .split(/\s+/),
);

/** Sequences that fingers walk along, forwards or backwards. */
export const WALKS: readonly string[] = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertyuiop[]asdfghjkl;zxcvbnm,./',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '!@#$%^&*()_+',
];
