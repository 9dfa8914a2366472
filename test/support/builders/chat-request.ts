/** A message of the user, as a chat request has it. */
export function userMessage(content: string) {
  return { role: 'user', content } as const;
}

/** A chat request that a scripted model server answers. */
export const CHAT = { model: 'scripted', messages: [userMessage('Say hello.')] } as const;
