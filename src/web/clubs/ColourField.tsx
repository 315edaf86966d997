import { Button, ColorInput, ColorSwatch } from '@mantine/core'
import type { CSSProperties } from 'react'
import { darkColours, isColour, lightColours, PRODUCT_COLOUR } from '../../contract/values/colours.ts'
import * as texts from '../../texts/generated/colour.ts'
import styles from './ColourField.module.css'

const swatches = ['#b3261e', '#c2410c', '#a16207', '#1b5e20', '#0f766e', '#0369a1', '#1e40af', '#6d28d9', '#be185d']
const papers = { light: '#ffffff', dark: '#1d1d2c' }

interface Props {
  /** `#rrggbb`; empty for the product's colour. */
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** The colour of a club's pages, with how buttons and links will look in light and dark. */
export function ColourField({ value, onChange, error }: Props) {
  const colour = isColour(value) ? value : PRODUCT_COLOUR
  const isDarkened = lightColours(colour).primary !== colour
  return (
    <div>
      <ColorInput
        label={texts.colour()}
        description={texts.help()}
        placeholder={PRODUCT_COLOUR}
        swatches={swatches}
        swatchesPerRow={9}
        withEyeDropper={false}
        // Otherwise a wrong colour would silently become the one before.
        fixOnBlur={false}
        popoverProps={{ withinPortal: true }}
        leftSection={<ColorSwatch size={22} color={colour} aria-hidden />}
        value={value}
        onChange={(next) => onChange(next.toLowerCase())}
        error={error}
      />
      <div className={styles.samples}>
        <Sample scheme="light" colours={lightColours(colour)} />
        <Sample scheme="dark" colours={darkColours(colour)} />
      </div>
      {isDarkened && <p className="help">{texts.darker()}</p>}
      {value !== '' && (
        <Button variant="subtle" size="compact-sm" onClick={() => onChange('')}>
          {texts.usual()}
        </Button>
      )}
    </div>
  )
}

function Sample({
  scheme,
  colours: { primary, secondary },
}: {
  scheme: keyof typeof papers
  colours: { primary: string; secondary: string }
}) {
  const look = { '--sample-paper': papers[scheme], '--sample-button': primary, '--sample-text': secondary }
  return (
    // React's type of styles has no custom properties.
    <div className={styles.sample} style={look as CSSProperties} aria-hidden="true">
      <span>{texts.register()}</span>
      <span>{scheme === 'light' ? texts.lightMode() : texts.darkMode()}</span>
    </div>
  )
}
