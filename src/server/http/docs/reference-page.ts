import { features } from '../../../contract/all-calls.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { refusals } from '../../../contract/errors.ts'
import { failuresOf } from '../../../contract/failures.ts'
import { escapeHtml } from '../../escape-html.ts'
import { accessText } from './access-words.ts'
import { type WebhookDoc, webhookDocs, webhookNotes } from './webhook-docs.ts'
import { wireSchema } from './wire-schema.ts'

/** The reference of the API as a page, derived from the contract. */
export function referencePage(): string {
  const groups = features.map(
    ({ name, summary, calls }) => `<section><h2 id="${name}">${name}</h2><p>${withCode(summary)}</p>
${Object.values(calls).map(callSection).join('\n')}${name === 'webhooks' ? messages() : ''}</section>`,
  )
  const contents = features.map(({ name }) => `<a href="#${name}">${name}</a>`)
  const failures = Object.entries(refusals).map(
    ([code, { status, msg }]) =>
      `<tr><td>${status}</td><td><code>${code}</code></td><td>${escapeHtml(msg())}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API | Turnout</title><style>${style}</style></head><body><main><h1>Turnout API</h1>
${introduction}<nav aria-label="Subjects">${contents.join(' ')}</nav>
${groups.join('\n')}<h2 id="failures">Failures</h2><table>${failures.join('')}</table></main></body></html>`
}

const introduction = `<p>Sign in, then send the token from the header <code>authorization</code> as
<code>Authorization: Bearer …</code>; or send an API token, which somebody of a club’s team makes in their profile. A success is <code>{ payload, msg? }</code>, a failure
<code>{ msg, code, errors?, payload? }</code>. The same as data, from which clients can be generated:
<a href="/api/openapi.json">openapi.json</a>.</p>`

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1.5rem;color:#1f1f33}
h1{color:#4000b8}h2{margin:2.5rem 0 .25rem}h3{font-size:1rem;margin:1.5rem 0 .25rem;overflow-wrap:anywhere}
p{margin:.25rem 0}code{overflow-wrap:anywhere}pre{overflow:auto;background:#f4f4fb;padding:1rem;border-radius:8px}nav a{display:inline-block;padding:.25rem .75rem .25rem 0}
td{padding:.25rem .75rem .25rem 0;vertical-align:top}`

/** What a webhook sends, after the calls about webhooks. */
function messages(): string {
  const notes = webhookNotes.map((note) => `<p>${withCode(note)}</p>`)
  return `<h3 id="messages">What is sent</h3>${notes.join('\n')}${webhookDocs().map(messageSection).join('\n')}`
}

function messageSection({ type, summary, schema }: WebhookDoc): string {
  return `<h3><code>${type}</code></h3><p>${withCode(summary)}</p>
<details><summary>Body</summary><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`
}

function callSection(endpoint: Endpoint): string {
  const { method, path, summary, input, payload } = endpoint
  const codes = failuresOf(endpoint).map((code) => `<code>${code}</code>`)
  return `<h3><code>${method} ${path}</code></h3>
<p>${withCode(summary)} <em>${withCode(accessText(endpoint))}</em></p>
<details><summary>Input</summary><pre>${escapeHtml(JSON.stringify(wireSchema(input), null, 2))}</pre></details>
<details><summary>Payload</summary><pre>${escapeHtml(JSON.stringify(wireSchema(payload), null, 2))}</pre></details>
<details><summary>Failures</summary><p>${codes.join(', ')}</p></details>`
}

/** A sentence as HTML: what stands in backticks is code, and links are as in Markdown. */
function withCode(sentence: string): string {
  const html = escapeHtml(sentence).replace(/`([^`]+)`/g, '<code>$1</code>')
  return html.replace(/\[([^\]]+)\]\((https:[^)"]+)\)/g, '<a href="$2">$1</a>')
}
