import type { Session } from './books.ts'
import { formatAmount } from './money.ts'

/** The address to which the visitor returns after paying; null if the session has none. */
export function afterPaying(session: Session): string | null {
  return (session.successUrl ?? session.returnUrl)?.replaceAll('{CHECKOUT_SESSION_ID}', session.id) ?? null
}

/** The page on which a visitor pays, or reads why that is not possible. */
export function payPage(session: Session, wasRefused: boolean): string {
  const total = formatAmount(session.amountTotal, session.currency)
  return page(
    'Pay',
    `<h1>${session.status === 'open' ? `Pay ${escaped(total)}` : closedTitle(session)}</h1>
${wasRefused && session.status === 'open' ? '<p class="refused" role="alert">The card was refused. Nothing was charged. You can try again.</p>' : ''}
${bill(session, total)}
${session.status === 'open' ? buttons(session) : closed(session)}`,
  )
}

/** The page for an unknown address. */
export function noPage(): string {
  return page('Not found', '<h1>There is nothing to pay here</h1><p>This payment is not known to the test bank.</p>')
}

function bill(session: Session, total: string): string {
  const rows = session.items.map(
    ({ name, description, unitAmount, quantity }) =>
      `<tr><th scope="row">${escaped(name)}${quantity > 1 ? ` × ${quantity}` : ''}` +
      `${description === null ? '' : `<br><small>${escaped(description)}</small>`}</th>` +
      `<td>${escaped(formatAmount(unitAmount * quantity, session.currency))}</td></tr>`,
  )
  return `<table>
<caption>What is bought</caption>
<tbody>${rows.join('\n')}</tbody>
<tfoot><tr><th scope="row">Total</th><td>${escaped(total)}</td></tr></tfoot>
</table>
${session.customerEmail === null ? '' : `<p>For ${escaped(session.customerEmail)}</p>`}`
}

function buttons(session: Session): string {
  // An embedded page is in a frame, and the whole window has to navigate after paying.
  const target = session.uiMode === 'embedded_page' ? ' target="_top"' : ''
  return `<form method="post" action="/pay/${session.id}"${target}><button class="pay">Pay</button></form>
<form method="post" action="/pay/${session.id}/decline"><button>Pay with a card that is refused</button></form>
${session.cancelUrl === null ? '' : `<p><a href="${escaped(session.cancelUrl)}">Go back</a></p>`}`
}

function closedTitle({ status }: Session): string {
  return status === 'complete' ? 'This is already paid' : 'This payment has expired'
}

function closed(session: Session): string {
  const onward = session.status === 'complete' ? afterPaying(session) : session.cancelUrl
  const said =
    session.status === 'complete' ? 'It was paid once.' : 'It can no longer be paid, and nothing was charged.'
  return `<p>${said}</p>${onward === null ? '' : `<p><a href="${escaped(onward)}">Go on</a></p>`}`
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title} – Test bank</title>
<style>
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
.banner { margin: 0; padding: .75rem 1rem; background: #ffd43b; color: #1a1a1a; font-weight: 700; text-align: center; border-bottom: 4px dashed #1a1a1a; }
main { max-width: 30rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
caption { text-align: start; font-weight: 700; padding-block: .5rem; }
th { text-align: start; font-weight: 400; }
td { text-align: end; white-space: nowrap; vertical-align: top; }
th, td { padding-block: .5rem; border-top: 1px solid #8888; }
tfoot th, tfoot td { font-weight: 700; }
button { width: 100%; min-height: 3rem; margin-top: .75rem; padding: .5rem 1rem; font: inherit; border: 2px solid currentColor; border-radius: .5rem; background: transparent; color: inherit; cursor: pointer; }
button.pay { background: #14532d; border-color: #14532d; color: #fff; font-weight: 700; }
a { display: inline-block; padding-block: .75rem; color: inherit; }
.refused { padding: .75rem 1rem; border-radius: .5rem; background: #7f1d1d; color: #fff; }
</style>
</head>
<body>
<header class="banner">Test bank — no real money moves</header>
<main>
${content}
</main>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
