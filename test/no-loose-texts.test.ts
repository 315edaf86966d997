import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Attributes whose value people read or hear. */
const READ =
  /^(label|title|alt|placeholder|description|help|caption|action|heading|hint|error|aria-label|aria-description)$/
/** A sentence, or two words of which the first begins with a capital letter. */
const PROSE = /^[\s“(]*[A-Z]\p{Ll}[\p{L}’'-]*[ ,:][^A-Z]*\p{L}|[\p{L}] [\p{L}]+[.!?…]\s*$/u
/** Not for people: the types of questions as the API names them, a header, fonts, a storage key. */
const NOT_READ = /^(Short answer|Multiple choice|Bearer .*|Poppins, .*|first steps hidden .*)$/

/** Stands for a value of a template. */
const VALUE = '{}'
/** A value beside a word: `${n} left`. */
const MIXED = /(?:^|[\s(])\p{L}{3,} \{\}|\{\} \p{L}{3,}/u

/** Whether it is shown as it stands: a child of an element, also by a condition. */
function isChild(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isJsxExpression(parent)) return !ts.isJsxAttribute(parent.parent)
  if (ts.isConditionalExpression(parent)) return parent.condition !== node && isChild(parent)
  if (ts.isBinaryExpression(parent))
    return parent.right === node && /&&|[|]{2}|[?]{2}/.test(parent.operatorToken.getText()) && isChild(parent)
  return ts.isParenthesizedExpression(parent) && isChild(parent)
}

/** Class names are words with values too. */
function isClassName(node: ts.Node): boolean {
  const name = ts.isJsxAttribute(node) || ts.isVariableDeclaration(node) ? node.name.getText() : ''
  return /[cC]lassNames?$/.test(name) || (node.parent !== undefined && isClassName(node.parent))
}

/** What only developers and operators read: faults, documentation of the API, names of HTTP. */
function isTechnical(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent) || ts.isExternalModuleReference(parent))
    return true
  if (ts.isNewExpression(parent)) return /Error|Exception/.test(parent.expression.getText())
  if (ts.isPropertyAssignment(parent) && parent.name.getText() === 'summary') return true
  if (ts.isBinaryExpression(parent) && parent.left.getText() === 'document.cookie') return true
  return isClassName(parent)
}

/** The words of a template. */
function wordsOf({ head, templateSpans }: ts.TemplateExpression): string {
  return [head.text, ...templateSpans.map(({ literal }) => literal.text)].join(VALUE)
}

function looseTexts(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const note = (node: ts.Node, text: string) => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart())
    found.push(`${file}:${line + 1} ${text.trim().slice(0, 80)}`)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) {
      const text = ts.isTemplateExpression(node) ? wordsOf(node) : node.text
      const isAttribute = ts.isJsxAttribute(node.parent) && READ.test(node.parent.name.getText())
      const isRead = (isAttribute || isChild(node)) && /\p{L}{2}/u.test(text.replaceAll(VALUE, ''))
      const isProse = PROSE.test(text) || (ts.isTemplateExpression(node) && MIXED.test(text))
      if (isRead || (!isTechnical(node) && isProse && !NOT_READ.test(text))) note(node, text)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

test('every text that people read is in the catalogs', () => {
  const files = ['src/web', 'src/contract'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|^dev\//.test(name))
      .map((name) => `${folder}/${name}`),
  )
  expect(files.flatMap(looseTexts)).toEqual([])
  // It parses all of the source.
}, 60_000)
