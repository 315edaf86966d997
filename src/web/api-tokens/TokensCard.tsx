import { Button } from '@mantine/core'
import { Link } from 'react-router'
import * as texts from '../../texts/generated/apiTokens.ts'
import * as paths from '../paths.ts'

/** In the profile, the way to one's API tokens. */
export function TokensCard() {
  return (
    <section className="card" aria-labelledby="tokens">
      <h2 id="tokens">{texts.title()}</h2>
      <p className="muted">{texts.whatFor()}</p>
      <Button variant="light" component={Link} to={paths.apiTokens} w={{ base: '100%', sm: 'fit-content' }}>
        {texts.open()}
      </Button>
    </section>
  )
}
