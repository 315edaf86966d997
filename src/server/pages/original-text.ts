import type { PageType } from '../../contract/pages.ts'
import type { Settings } from '../settings.ts'

type Operator = Pick<Settings, 'operatorName' | 'operatorContact'>

/** The default text of a static page, true of the product as it is. The operator's name and contact come from the settings. */
export function originalText(type: PageType, { operatorName, operatorContact }: Operator): string {
  const operator = operatorName ?? 'the operator of this site'
  const contact = operatorContact
    ? `You reach ${operator} at ${operatorContact}.`
    : 'You reach the operator through the club whose event you visit.'
  return texts[type](operator, contact)
}

const texts: Readonly<Record<PageType, (operator: string, contact: string) => string>> = {
  terms: (
    operator,
    contact,
  ) => `This site runs Turnout, software with which clubs register people for their events and let them in. It is run by ${operator}.

## Between you and the club

When you register for an event, you agree with the club that holds it. The club decides who may come, what it costs, and what happens if it is cancelled. Its name and contact stand on its page.

## Your ticket

A ticket lets one person in, once. Whoever shows its code first is let in, so do not pass its picture on unless you mean to pass the ticket on.

## What you may expect of this site

We keep registrations carefully, but this site comes without a warranty, as far as the law allows. Do not use it to harm others or to take places that nobody will use.

## Contact

${contact}`,
  'privacy-policy': (
    operator,
    contact,
  ) => `This site is run by ${operator}. It keeps what is needed to hold an event, and nothing to watch you with: no advertising, no analytics, and nothing from other companies' servers but what card payment needs.

## What is kept when you register

Your name, e-mail address, phone number and your answers to the club's questions, the time of your registration, and whether and when your ticket was used. The club that holds the event sees them; other clubs do not. They are kept until the club or the operator removes them.

So that nobody can take all places or fill your mailbox, a fingerprint of your network address is kept for about an hour, and one of your e-mail address for a day, or for longer once you have opened a ticket from one of our mails. Neither shows the address itself.

## What is kept when you sign in as staff

Your name, e-mail address and photo, your password only as a fingerprint (argon2id) from which it cannot be read, and for each session when it was last used. Where you have signed in from is kept as a fingerprint of the network address, so that strangers cannot lock you out.

## Who else gets it

Your ticket is sent by e-mail, so the mail servers on the way handle it. Where you pay by card, you pay at Stripe: it gets your e-mail address, what you buy and your card's data, which never reach this site, and its script runs on the page where you pay. Nobody else gets it.

## Your rights

You may ask to see, correct or delete what is kept about you. Ask the club of the event first; it can do all three.

## Contact

${contact}`,
  'cookie-policy': (
    _operator,
    contact,
  ) => `This site sets one cookie and keeps a few things in your browser. None of them follows you anywhere.

## For everybody

- **XSRF-TOKEN**, a cookie until you close the browser: a random value that proves that a form was sent from this site and not by another one.
- **What you type into a registration form**, in the browser's storage: your name, e-mail address, phone number and answers, and which registration is still to be paid, so that nothing is lost when the page is loaded again or you come back from the bank. It goes once you are registered.
- **Your tickets**, with the files that show them (turnout-tickets and turnout-files, in the browser's cache): so that a ticket you have opened opens without network too. A ticket goes when you next open this site after the day that follows its event; the files stay until you clear this site's data.
- **apiQueryMsg**, in local storage, and **reloadedAt**, in session storage, for a moment: a message that is shown to you once, and when the page was last loaded again by itself.

## For staff

- **token** and **currentUser**, in local storage: they keep you signed in until you sign out. Without network, signing out ends it on this device only; the session ends on the server when it has not been used for 30 days.
- **Tickets you open while you are signed in** (turnout-tickets-staff, in the browser's cache): so that they open without network too. They go when your session ends, and like other tickets after the event.
- **singleKeys**, in local storage, if you switch the keyboard shortcuts of one key off: so that they stay off.
- **The list of the door** (turnout-door, a database in your browser, with **doorDevice** and **lastDoor** in local storage): names and hashed codes, and the scans still to be sent, so that the door works without network. The list goes when you sign out, and a day after the event.

## When you pay by card

Stripe sets cookies of its own where you pay, to prevent fraud. Its own policy, at https://stripe.com/cookies-policy/legal, says which.

Because all of this is needed for what you ask the site to do, you are not asked for consent.

## Contact

${contact}`,
}
