/**
 * Whether a password may be sent to a directory. An empty one makes the bind anonymous, which succeeds for everybody (RFC
 * 4513, section 5.1); a directory that cuts at a control character, such as NUL, may take one for empty.
 */
export function isBindPassword(password: string): boolean {
  return password !== '' && !/\p{Cc}/u.test(password);
}
