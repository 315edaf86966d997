import Fastify from 'fastify'

// The baseline of all figures: a bare Fastify that reads the same body and sends the same bytes, in a separate process.
const app = Fastify()
const answer = JSON.stringify({
  payload: {
    id: 1,
    eventId: 1,
    clubId: 1,
    qrUuid: '00000000-0000-4000-8000-000000000000',
    registrationTime: new Date(0).toISOString(),
    status: 'confirmed',
    holdExpiresAt: null,
    cancelReason: null,
    amount: 0,
    currency: 'eur',
    version: 1,
    openedAt: null,
    registrationData: { name: 'Visitor 1', email: 'visitor1@example.org', phone: '+49301234567', others: [] },
  },
  msg: 'Thank you, you are registered.',
})
app.post('/', (_request, reply) => reply.type('application/json').send(answer))
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })
process.send?.('ready')
