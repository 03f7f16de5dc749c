import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { Code } from './code.tsx';

/** A link leads somewhere only if it is plain http; where it leads is always shown. */
const safeHref = (href: string): string | undefined => (/^https?:\/\//i.test(href) ? href : undefined);

/** Entities that Markdown takes for characters. */
const plain = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '');

function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const safe = safeHref(href);
  if (!safe) return <>{children}</>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer nofollow" title={safe}>
      {children}
    </a>
  );
}

function Table({ token }: { readonly token: Tokens.Table }) {
  return (
    <div class="scroll-x">
      <table>
        <thead>
          <tr>
            {token.header.map((cell, at) => (
              <th key={at}>{nodes(cell.tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{nodes(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function List({ token }: { readonly token: Tokens.List }) {
  const items = token.items.map((item, at) => (
    <li key={at}>
      {item.task && <span class="soft">{item.checked ? '☑ ' : '☐ '}</span>}
      {nodes(item.tokens)}
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

/** Headings of an answer stand below those of the page. */
function Heading({ depth, children }: { readonly depth: number; readonly children: ComponentChildren }) {
  return (
    <p class={`heading depth-${Math.min(depth, 3)}`}>
      <strong>{children}</strong>
    </p>
  );
}

function node(token: Token): ComponentChildren {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox': // drawn with its item
      return null;
    case 'heading':
      return <Heading depth={token['depth']}>{nodes(token.tokens)}</Heading>;
    case 'paragraph':
      return <p>{nodes(token.tokens)}</p>;
    case 'blockquote':
      return <blockquote>{nodes(token.tokens)}</blockquote>;
    case 'list':
      return <List token={token as Tokens.List} />;
    case 'table':
      return <Table token={token as Tokens.Table} />;
    case 'code':
      return <Code text={token['text']} language={token['lang']} />;
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'strong':
      return <strong>{nodes(token.tokens)}</strong>;
    case 'em':
      return <em>{nodes(token.tokens)}</em>;
    case 'del':
      return <del>{nodes(token.tokens)}</del>;
    case 'codespan':
      return <code>{token['text']}</code>;
    case 'link':
      return <Link href={token['href']}>{nodes(token.tokens)}</Link>;
    case 'image':
      return <Link href={token['href']}>{`[image: ${token['text'] || token['href']}]`}</Link>; // never loaded: it would tell its host
    case 'text':
      return token.tokens ? nodes(token.tokens) : plain(token['text']);
    case 'escape':
      return token['text'];
    default:
      return token.raw; // HTML among it: shown as it was written
  }
}

function nodes(tokens: readonly Token[] | undefined): VNode[] {
  return (tokens ?? []).map((token, at) => <Fragmented key={at} token={token} />);
}

function Fragmented({ token }: { readonly token: Token }) {
  return <>{node(token)}</>;
}

/** An answer as nodes. No text of it ever becomes HTML. */
export function Markdown({ text }: { readonly text: string }) {
  return <div class="markdown">{nodes(lexer(text))}</div>;
}
