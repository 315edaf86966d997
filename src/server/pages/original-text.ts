import type { PageType } from '../../contract/pages.ts'
import * as texts from '../../texts/generated/staticPages.ts'
import type { Settings } from '../settings.ts'

type Operator = Pick<Settings, 'operatorName' | 'operatorContact'>

/** The default text of a static page, true of the product as it is. The operator's name and contact come from the settings. */
export function originalText(type: PageType, { operatorName, operatorContact }: Operator): string {
  const operator = operatorName ?? texts.thisOperator()
  const contact = operatorContact ? texts.contactAt({ operator, contact: operatorContact }) : texts.contactThroughClub()
  switch (type) {
    case 'terms':
      return texts.terms({ operator, contact })
    case 'privacy-policy':
      return texts.privacyPolicy({ operator, contact })
    case 'cookie-policy':
      return texts.cookiePolicy({ contact })
  }
}
