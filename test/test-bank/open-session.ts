import { type Books, type Item, newId, type Session, seconds } from './books.ts'
import { Fault } from './fault.ts'
import {
  addressOf,
  allowOnly,
  type Form,
  integerOf,
  metadataOf,
  requiredInteger,
  requiredText,
  textOf,
  wordOf,
} from './form.ts'
import { currencyFrom } from './money.ts'

const halfHour = 30 * 60
const day = 24 * 60 * 60
const mostAmount = 99_999_999

/** The parameters that this bank supports, and those that change only the look of Stripe's own page. */
const parameters = [
  ...[
    'mode',
    'ui_mode',
    'success_url',
    'cancel_url',
    'return_url',
    'redirect_on_completion',
    'line_items',
    'expires_at',
  ],
  ...['metadata', 'payment_intent_data', 'client_reference_id', 'customer_email'],
  ...['locale', 'submit_type', 'billing_address_collection', 'branding_settings', 'custom_text', 'wallet_options'],
  ...['allowed_payment_method_types', 'adaptive_pricing', 'customer_creation', 'integration_identifier'],
]

/** Opens a checkout session as the form asks, or refuses it as Stripe would. */
export function openSession(books: Books, form: Form): Session {
  allowOnly(form, parameters)
  if (requiredText(form, 'mode') !== 'payment')
    throw new Fault('The test bank knows only the mode `payment`.', { param: 'mode' })
  const createdAt = seconds(books.now())
  const id = newId('cs_test_a1', 28)
  const session: Session = {
    id,
    createdAt,
    expiresAt: expiryFrom(form, createdAt),
    status: 'open',
    ...addressesFrom(form, id),
    ...itemsFrom(form),
    metadata: metadataOf(form),
    paymentMetadata: metadataOf(form, 'payment_intent_data[metadata]'),
    clientReferenceId: textOf(form, 'client_reference_id'),
    customerEmail: emailFrom(form),
    payment: null,
  }
  books.sessions.set(id, session)
  return session
}

function expiryFrom(form: Form, createdAt: number): number {
  const param = 'expires_at'
  const expiresAt = integerOf(form, param, 0) ?? createdAt + day
  if (expiresAt < createdAt + halfHour)
    throw new Fault('The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.', { param })
  if (expiresAt > createdAt + day)
    throw new Fault('The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', { param })
  return expiresAt
}

function addressesFrom(form: Form, id: string) {
  const uiMode = wordOf(form, 'ui_mode', ['hosted_page', 'embedded_page'])
  const refuse = (...names: string[]) => {
    const param = names.find((name) => form.has(name))
    if (param) throw new Fault(`You can not pass \`${param}\` when \`ui_mode\` is \`${uiMode}\`.`, { param })
  }
  if (uiMode === 'hosted_page') {
    refuse('return_url', 'redirect_on_completion')
    requiredText(form, 'success_url')
    const successUrl = addressOf(form, 'success_url')
    return { uiMode, successUrl, cancelUrl: addressOf(form, 'cancel_url'), returnUrl: null, clientSecret: null }
  }
  refuse('success_url', 'cancel_url')
  const redirects = wordOf(form, 'redirect_on_completion', ['always', 'if_required', 'never']) !== 'never'
  if (redirects) requiredText(form, 'return_url')
  else refuse('return_url')
  const clientSecret = newId(`${id}_secret_`, 24)
  return { uiMode, successUrl: null, cancelUrl: null, returnUrl: addressOf(form, 'return_url'), clientSecret }
}

function itemsFrom(form: Form): { items: Item[]; currency: string; amountTotal: number } {
  const items: Item[] = []
  const currencies = new Set<string>()
  while ([...form.keys()].some((name) => name.startsWith(`line_items[${items.length}]`))) {
    const at = `line_items[${items.length}]`
    const price = `${at}[price_data]`
    currencies.add(currencyFrom(requiredText(form, `${price}[currency]`), `${price}[currency]`))
    items.push({
      name: requiredText(form, `${price}[product_data][name]`),
      description: textOf(form, `${price}[product_data][description]`),
      unitAmount: requiredInteger(form, `${price}[unit_amount]`, 0),
      quantity: requiredInteger(form, `${at}[quantity]`, 1),
    })
  }
  const param = 'line_items'
  const [currency] = currencies
  if (currency === undefined)
    throw new Fault('Missing required param: line_items.', { code: 'parameter_missing', param })
  if (currencies.size > 1)
    throw new Fault('All line items must have the same currency; line items of different currencies cannot be mixed.', {
      param,
    })
  const amountTotal = items.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0)
  if (amountTotal === 0)
    throw new Fault('The total amount must be greater than 0.', { code: 'amount_too_small', param })
  if (amountTotal > mostAmount)
    throw new Fault(`The total amount must be no more than ${mostAmount}.`, { code: 'amount_too_large', param })
  return { items, currency, amountTotal }
}

function emailFrom(form: Form): string | null {
  const email = textOf(form, 'customer_email')
  if (email !== null && !/^\S+@\S+\.\S+$/.test(email))
    throw new Fault(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'customer_email' })
  return email
}
