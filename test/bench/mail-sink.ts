import { setPriority } from 'node:os'
import { SMTPServer } from 'smtp-server'

// A mail server that takes all mails without reading them, in a process of its own at the lowest priority: in earnest it is another machine.
// Tells its parent when it listens, and of each mail that it has taken.
setPriority(19)
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData: (stream, _session, callback) => {
    stream.resume()
    stream.once('end', () => {
      process.send?.('taken')
      callback(null)
    })
  },
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('listening'))
