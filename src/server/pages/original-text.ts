import type { PageType } from '../../contract/pages.ts'
import * as texts from '../../texts/generated/staticPages.ts'
import type { Settings } from '../settings.ts'

type Operator = Pick<Settings, 'operatorName' | 'operatorContact' | 'baseUrl' | 'mailFrom'>

/**
 * The default text of a static page, true of the product as it is. The operator's name and contact come from the settings; without them
 * the site's address and the sender of its e-mails stand for them.
 */
export function originalText(type: PageType, settings: Operator): string {
  const operator = settings.operatorName ?? texts.thisOperator({ host: new URL(settings.baseUrl).host })
  const address = settings.operatorContact ?? addressOf(settings.mailFrom)
  const contact = address ? texts.contactAt({ operator, contact: address }) : texts.contactThroughClub()
  switch (type) {
    case 'terms':
      return texts.terms({ operator, contact })
    case 'privacy-policy':
      return texts.privacyPolicy({ operator, contact })
    case 'cookie-policy':
      return texts.cookiePolicy({ contact })
  }
}

/** The sender's address, where somebody can be expected to read what is sent to it; else null. */
function addressOf(sender: string): string | null {
  const address = sender.match(/<([^<>]+)>\s*$/)?.[1] ?? sender
  return /^no-?reply|@localhost$/i.test(address) ? null : address
}
