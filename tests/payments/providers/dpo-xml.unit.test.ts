import * as fc from 'fast-check'
import { insideOf, readXml, textOf, writeXml } from '../../../src/modules/payments/providers/dpo-wire'
import { tries } from '../../support/tries'

const elementsOf = (xml: string) => {
  const read = readXml(xml)
  if (read.kind !== 'read') throw new Error(read.kind)
  return insideOf(read.elements, 'API3G')!
}

describe('reading', () => {
  test.each([
    ['000', '000'],
    ['00123', '00123'],
    ['1e3', '1e3'],
    ['0x10', '0x10'],
    ['145.00', '145.00'],
    ['true', 'true'],
    ['  spaced  ', 'spaced'],
    ['Phiri &amp; Sons &lt;3', 'Phiri & Sons <3'],
    ['&amp;lt;', '&lt;'],
    ['<![CDATA[A & B]]>', 'A & B'],
    ['00<!-- not here -->0', '000'],
    ['&unknown;', '&unknown;'],
    ['&#48;00', '&#48;00'],
  ])('%s stays text', (written, text) => {
    expect(textOf(elementsOf(`<API3G><Result>${written}</Result></API3G>`), 'Result')).toBe(text)
  })

  test('what is absent, repeated or holds elements has no text', () => {
    const elements = elementsOf('<API3G><A>1</A><A>2</A><B><C>3</C></B><D/></API3G>')
    expect(['A', 'B', 'D', 'E', 'toString', 'constructor'].map((name) => textOf(elements, name))).toEqual([
      null,
      null,
      '',
      null,
      null,
      null,
    ])
    expect(insideOf(elements, 'A')).toBeNull()
    expect(textOf(insideOf(elements, 'B')!, 'C')).toBe('3')
  })

  test.each([
    '<!DOCTYPE API3G><API3G><Result>000</Result></API3G>',
    '<?xml version="1.0"?><!doctype html><html></html>',
    '<API3G><!-- <!DOCTYPE x> --><Result>000</Result></API3G>',
    '<API3G><Result><![CDATA[<!ENTITY a "b">]]></Result></API3G>',
  ])('a document type anywhere is not read: %s', (xml) => {
    expect(readXml(xml)).toEqual({ kind: 'doctype' })
  })

  test.each([
    '',
    '   ',
    'OK',
    '{"Result":"000"}',
    '<API3G><Result>000</Result>',
    '<API3G><Result>000</Result></API3G',
    '<API3G><Result>000</API3G>',
    '<API3G><Result>000</Result></API3G> and more',
    '<API3G><Result>901</Result></API3G><API3G><Result>000</Result></API3G>',
    '<API3G><Result>000</Result></API3G><!-- cut',
    '<API3G><__proto__><Result>000</Result></__proto__></API3G>',
    `<API3G>${'<a>'.repeat(40)}${'</a>'.repeat(40)}</API3G>`,
  ])('what is no whole document is not read: %s', (xml) => {
    expect(readXml(xml)).toEqual({ kind: 'not-xml' })
  })

  test('a mark of byte order and blanks around the document do no harm', () => {
    expect(
      textOf(
        elementsOf('\ufeff\r\n<?xml version="1.0"?>\r\n<API3G><Result>000</Result></API3G>\n'),
        'Result',
      ),
    ).toBe('000')
  })
})

describe('writing', () => {
  test('elements in order, lists repeated, text escaped', () => {
    expect(writeXml('API3G', { A: `<b> & "c" 'd'`, Bs: { B: [{ C: '1' }, { C: '2' }] }, D: '' })).toBe(
      `<?xml version="1.0" encoding="utf-8"?>\n<API3G><A>&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;</A><Bs><B><C>1</C></B><B><C>2</C></B></Bs><D></D></API3G>`,
    )
  })

  test('characters that XML does not know are left out', () => {
    expect(writeXml('A', { B: 'a\u0000b\u0008c\ud800d\uffffe\u{1f35e}' })).toContain('<B>abcde\u{1f35e}</B>')
  })

  test('whatever is written is read again as it was', () => {
    const text = fc.string({ unit: 'grapheme' }).map((some) => some.replaceAll(/\s+/g, ' ').trim())
    fc.assert(
      fc.property(text, (some) => {
        fc.pre(!/<!(?:doctype|entity)/i.test(some))
        expect(textOf(elementsOf(writeXml('API3G', { Note: some })), 'Note')).toBe(some)
      }),
      { seed: 7, numRuns: tries(500) },
    )
  })
})
