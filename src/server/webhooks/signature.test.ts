import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newSecret, signedHeaders } from './signature.ts'

const message = { messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }
const now = new Date(1_614_265_330_000)
const known = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', oldSecret: null, oldSecretUntil: null }

test('a signature is the one that the specification’s own example has', () => {
  expect(signedHeaders(message, known, now)).toMatchObject({
    'webhook-id': message.messageId,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('a receiver that has the secret of before still verifies until its day has passed, and no longer', () => {
  const at = new Date()
  const secret = newSecret()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const rolled = { secret, oldSecret: known.secret, oldSecretUntil: new Date(at.getTime() + 1) }
  const headers = signedHeaders(message, rolled, at)
  for (const each of [secret, known.secret]) new Webhook(each).verify(message.body, headers)
  const later = signedHeaders(message, rolled, rolled.oldSecretUntil)
  new Webhook(secret).verify(message.body, later)
  expect(() => new Webhook(known.secret).verify(message.body, later)).toThrow()
})
