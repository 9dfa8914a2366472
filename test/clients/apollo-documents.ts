import { gql } from '@apollo/client';

/** The caller, with a quota that has an identity of its own. */
export const ME = gql`query Me { me { id email quota { id percentUsed } } }`;

/** A page of tokens. */
export const TOKENS = gql`
  query Tokens($after: String) {
    apiTokens(first: 2, after: $after) { edges { cursor node { id name } } pageInfo { hasNextPage endCursor } totalCount }
  }
`;

/** Makes a token. */
export const CREATE_TOKEN = gql`
  mutation CreateToken($input: CreateApiTokenInput!) { createApiToken(input: $input) { id name } }
`;

/** The subscription that streams an answer. */
export const CHAT_STREAM = gql`
  subscription Chat($body: JSON!) { chatCompletionStream(body: $body) { choices { delta { content } } } }
`;
