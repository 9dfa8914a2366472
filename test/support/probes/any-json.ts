/** JSON that came from a server or a client: tests look into it freely, and fail where it is not as they expect. */
// oxlint-disable-next-line no-explicit-any -- the one place where tests may
export type AnyJson = any;
