import { ConfigError } from '../config/config.js';

/** The error of a start with a secret key that does not open what the database holds. */
export function wrongSecretKey(): ConfigError {
  return new ConfigError(['SECRET_KEY: is not the one that this database was set up with, so its keys do not open']);
}
