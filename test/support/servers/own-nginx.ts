import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OwnProgram } from '../../proof/research-corpus/own-program.js';

/** Where Debian's nginx-light has its program. */
export const NGINX = '/usr/sbin/nginx';
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/**
 * Starts an nginx of one process, as whoever starts it, with all of its files in its folder.
 * @param folder of its own
 * @param http what is in the block `http` of its configuration
 */
export async function startNginx(folder: string, http: string): Promise<OwnProgram> {
  const paths = TEMPORARY.map((of) => `  ${of}_temp_path ${folder}/${of};`);
  const config = `daemon off;
master_process off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
${paths.join('\n')}
${http}}
`;
  await writeFile(join(folder, 'nginx.conf'), config);
  return new OwnProgram(NGINX, ['-p', folder, '-c', 'nginx.conf', '-e', 'nginx.log'], { cwd: folder });
}
