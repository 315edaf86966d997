import { Button } from '@mantine/core'
import { Link } from 'react-router'
import * as texts from '../../texts/generated/webhooks.ts'
import * as paths from '../paths.ts'

/** In the settings of a club, the way to its webhooks. */
export function WebhooksCard() {
  return (
    <section className="card" aria-labelledby="webhooks">
      <h2 id="webhooks">{texts.title()}</h2>
      <p className="muted">{texts.whatFor()}</p>
      <Button variant="light" component={Link} to={paths.webhooks} w={{ base: '100%', sm: 'fit-content' }}>
        {texts.open()}
      </Button>
    </section>
  )
}
