export interface Mail {
  /** Stays the same when a mail is sent again, so that a receiver can recognize it. */
  messageId: string
  to: string
  /** Who it comes from, such as `Rowing Club via Turnout`; left out for mails of the product itself. */
  fromName?: string
  /** The club's address, or none. */
  replyTo: string | null
  subject: string
  text: string
  html: string
  attachments?: Attachment[]
}

export interface Attachment {
  filename: string
  content: Buffer
  contentType: string
  /** With it, the file is a picture that the HTML shows as `cid:…`. */
  cid?: string
}

/** Hands a mail to the mail server, or to the outbox folder. It rejects when the mail was not taken. */
export interface Mailer {
  send(mail: Mail): Promise<void>
  close(): void
}
