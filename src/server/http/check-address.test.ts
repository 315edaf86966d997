import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { checkAddress } from './check-address.ts'

test('a port in use and an address that is not ours are told by the name of the setting; a free one is left free', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo // A TCP server's address is never the text of a pipe.
  await expect(checkAddress({ host: '127.0.0.1', port })).rejects.toThrow(`PORT ${port} is in use on 127.0.0.1`)
  await expect(checkAddress({ host: '999.1.1.1', port })).rejects.toThrow('HOST 999.1.1.1 cannot be listened on')
  await expect(checkAddress({ host: '192.0.2.1', port })).rejects.toThrow('HOST 192.0.2.1 cannot be listened on')
  taken.close()
  await once(taken, 'close')
  await checkAddress({ host: '127.0.0.1', port })
  await checkAddress({ host: '127.0.0.1', port })
})
