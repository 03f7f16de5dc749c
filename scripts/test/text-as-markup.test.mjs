import { describe, expect, it } from 'vitest';
import { checkPackages } from '../package-rules.mjs';

const check = (files) => checkPackages(files);

describe('the page', () => {
  it.each([
    ['an element of a string', 'element.innerHTML = text;'],
    ['by its name in brackets', "element['outerHTML'] = text;"],
    ['beside an element', "element.insertAdjacentHTML('beforeend', text);"],
    ['in a component', 'export const A = () => <p dangerouslySetInnerHTML={{ __html: text }} />;'],
    ['a frame', 'export const A = () => <iframe srcdoc={text} />;'],
    ['a document', 'document.write(text);'],
    ['a parsed document', "new DOMParser().parseFromString(text, 'text/html');"],
    ['code', 'new Function(text)();'],
    ['code by a link', "link.href = 'javascript:' + text;"],
  ])('makes no markup or code of a text: %s', (_, code) => {
    expect(check({ 'apps/dashboard/src/a.tsx': code })).toEqual([
      expect.stringMatching(/^apps\/dashboard\/src\/a\.tsx:1 makes markup or code of a text: /),
    ]);
  });

  it('may write to the clipboard and show text', () => {
    const code = 'navigator.clipboard.writeText(text);\nstream.write(text);\nexport const A = () => <p title={text}>{text}</p>;';
    expect(check({ 'apps/dashboard/src/a.tsx': code })).toEqual([]);
  });
});
