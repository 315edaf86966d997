import { describe, expect, test } from 'vitest'
import {
  bank,
  clock,
  hook,
  inMinutes,
  MINUTE,
  open,
  priced,
  setUpTestBank,
  stripe,
  twoTickets,
} from '../support/bank-client.ts'

setUpTestBank()

describe('the pay page', () => {
  const visit = async (path: string, method = 'GET') => {
    const response = await fetch(bank.url + path, { method, redirect: 'manual' })
    return { status: response.status, location: response.headers.get('location'), html: await response.text() }
  }

  test('says what is bought and that no real money moves, and escapes what was sent', async () => {
    const { id } = await open({
      line_items: [priced(1200, 2, 'jpy', '<script>alert("1")</script>'), priced(34, 1, 'jpy')],
      customer_email: "o'hara@example.org",
      cancel_url: 'https://club.example/"><b>',
    })
    const { status, html } = await visit(`/pay/${id}`)
    expect(status).toBe(200)
    expect(html).toContain('Test bank — no real money moves')
    expect(html).toContain('¥2,434')
    expect(html).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; × 2')
    expect(html).not.toContain('<script')
    expect(html).not.toContain('<b>')
  })

  test('paying leads to the success address, also for a second click, and charges once', async () => {
    const { id } = await open()
    const clicks = await Promise.all([visit(`/pay/${id}`, 'POST'), visit(`/pay/${id}`, 'POST')])
    const onward = { status: 303, location: `https://club.example/paid?s=${id}` }
    expect(clicks).toMatchObject([onward, onward])
    expect(bank.ledger()).toHaveLength(1)
    expect(hook.received).toHaveLength(1)
    expect((await visit(`/pay/${id}`)).html).toContain('This is already paid')
  })

  test('a refused card leaves the session payable', async () => {
    const { id } = await open()
    const { status, location } = await visit(`/pay/${id}/decline`, 'POST')
    expect(status).toBe(303)
    const { html } = await visit(location ?? '')
    expect(html).toContain('The card was refused')
    expect(html).toContain('>Pay</button>')
    expect(html).toContain('href="https://club.example/back"')
    bank.decline(id)
    expect(bank.ledger()).toEqual([])
    await bank.pay(id)
    expect((await visit(location ?? '')).html).not.toContain('The card was refused')
  })

  test('an expired session cannot be paid, an unknown one is not there, an embedded one can be paid', async () => {
    const { id } = await open({ expires_at: inMinutes(30) })
    clock.now = new Date(clock.now.getTime() + 31 * MINUTE)
    expect(await visit(`/pay/${id}`, 'POST')).toMatchObject({ status: 303, location: `/pay/${id}` })
    const { html } = await visit(`/pay/${id}`)
    expect(html).toContain('This payment has expired')
    expect(html).not.toContain('<button')
    expect(bank.ledger()).toEqual([])
    expect((await visit('/pay/cs_test_x')).status).toBe(404)

    const { success_url: _success, cancel_url: _cancel, ...rest } = twoTickets
    const embedded = await stripe.checkout.sessions.create({
      ...rest,
      ui_mode: 'embedded_page',
      return_url: 'https://club.example/return?s={CHECKOUT_SESSION_ID}',
    })
    expect((await visit(`/pay/${embedded.id}`)).html).toContain('target="_top"')
    expect(await visit(`/pay/${embedded.id}`, 'POST')).toMatchObject({
      status: 303,
      location: `https://club.example/return?s=${embedded.id}`,
    })
  })
})
