// What ebiten asks of the browser, made cheaper. Ebiten draws into images of its own and copies the last one to the canvas.
'use strict';
(() => {
  // It asks for gamepads in every frame, and a browser that has been asked looks for them as long as the page is open.
  if (navigator.getGamepads) navigator.getGamepads = () => [];

  const graphics = globalThis.genussinkGraphics = { renderer: '', software: false, largest: 0, resting: false, wake() {}, fence: null };
  if (typeof WebGL2RenderingContext === 'undefined') return; // main.js says so
  const make = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, attributes) {
    if (kind !== 'webgl2') return make.call(this, kind, attributes);
    for (const side of ['width', 'height']) {
      const { get, set } = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, side);
      // To be told its size clears a canvas, be it the same size: the picture is to be copied once more.
      Object.defineProperty(this, side, { configurable: true, get, set(pixels) { set.call(this, pixels); changed = true; graphics.wake(); } });
    }
    // A canvas that a finished picture is copied to needs one sample a pixel, no depth and no transparency.
    const context = make.call(this, kind, { ...attributes, antialias: false, depth: false, alpha: false });
    // Says later whether all is drawn that the page's first canvas was asked for by now.
    if (context) graphics.fence ??= () => {
      const fence = context.fenceSync(context.SYNC_GPU_COMMANDS_COMPLETE, 0);
      flush.call(context);
      return () => !fence || context.isContextLost() || context.getSyncParameter(fence, context.SYNC_STATUS) === context.SIGNALED;
    };
    return context;
  };

  // Ebiten copies its picture four times more after it has changed. The browser keeps what it shows: once is enough.
  const gl = WebGL2RenderingContext.prototype;
  const { bindFramebuffer, drawElements, flush } = gl;
  let toCanvas = true; // what is drawn goes to the canvas
  let changed = true; // something was drawn elsewhere since the last copy
  let copied = false; // in this frame
  gl.bindFramebuffer = function (target, framebuffer) {
    toCanvas = !framebuffer;
    bindFramebuffer.call(this, target, framebuffer);
  };
  gl.drawElements = function (...what) {
    if (toCanvas && !changed) return;
    if (toCanvas) copied = true; else changed = true;
    drawElements.apply(this, what);
  };
  gl.flush = function () {
    if (copied) changed = copied = false;
    flush.call(this);
  };

  const probe = make.call(document.createElement('canvas'), 'webgl2');
  if (!probe) return;
  const name = probe.getParameter(probe.RENDERER);
  const precise = name === 'WebKit WebGL' && probe.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(precise ? probe.getParameter(precise.UNMASKED_RENDERER_WEBGL) : name);
  const largest = probe.getParameter(probe.MAX_TEXTURE_SIZE); // pixels on a side
  probe.getExtension('WEBGL_lose_context')?.loseContext();

  const software = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
  Object.assign(graphics, { renderer, software, largest });

  // Where the processor draws, what is drawn is taken from what is computed: every other frame is enough.
  const frame = requestAnimationFrame.bind(window);
  const next = software ? (draw) => frame(() => frame(draw)) : frame;

  // A game at rest looks ten times a second whether anything has changed, or at once when somebody does something. It is the one
  // who asks for frames with the same function again and again.
  const rest = 100; // milliseconds
  let last; // who asked last
  let timer = 0; // of the game, while it sleeps
  graphics.wake = () => {
    if (!timer) return;
    clearTimeout(timer);
    timer = 0;
    next(last);
  };
  window.requestAnimationFrame = (draw) => {
    if (!graphics.resting || draw !== last) {
      graphics.wake();
      last = draw;
      return next(draw);
    }
    timer = setTimeout(graphics.wake, rest);
  };
  for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'touchstart', 'touchmove', 'touchend', 'wheel', 'keydown', 'keyup', 'click',
    'input', 'change', 'drop', 'paste', 'focusin', 'resize', 'hashchange', 'popstate', 'visibilitychange']) {
    addEventListener(kind, graphics.wake, { capture: true, passive: true });
  }
})();
